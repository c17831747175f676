"""What each kind of action of the site becomes in our terms: one module for each group of them."""

"""Views of a table as pure folds over its records: what readers see, built again at any time."""

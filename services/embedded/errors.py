"""What can be wrong with a store, each said so that a person knows what to do next."""


class EmbeddedError(Exception):
    """The store cannot be used; the message says why and what to do."""


class NoServerError(EmbeddedError):
    """No server program was found."""


class UnknownServerError(EmbeddedError):
    """A program was named or found that is neither Redis nor Valkey, or does not run."""


class ServerTooOldError(EmbeddedError):
    """The server is older than Minutebook can use, or older than the data that it is to open."""


class DirectoryInUseError(EmbeddedError):
    """Another server has the data directory open."""


class DirectoryUnfitError(EmbeddedError):
    """The data directory cannot be written, or what lies in it is not ours to open."""


class ServerFailedError(EmbeddedError):
    """The server did not start, or ended when it should not have."""


class StoreUnfitError(EmbeddedError):
    """A server that was given does not answer, or must not be used as the store."""

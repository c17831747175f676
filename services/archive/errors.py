"""What can be wrong with a file of the archive, or with what is asked of it."""


class ArchiveError(Exception):
    """Something cannot be archived, restored, read or removed: why, and what to do."""


class FileError(ArchiveError):
    """A file is not a whole, unaltered file of the archive."""


class BusyError(ArchiveError):
    """A table changed while it was looked at; asked again, it may go well."""

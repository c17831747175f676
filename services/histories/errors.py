"""What can be wrong with a history, in words."""


class HistoryError(ValueError):
    """A file is not a history that can be played: what is wrong, and where.

    `where` is a path in the file (`$.settings.seed`, `action 31`) or a line; empty for all of it.
    """

    def __init__(self, sentence: str, where: str = "") -> None:
        super().__init__(f"{where}: {sentence}" if where else sentence)
        self.sentence = sentence
        self.where = where

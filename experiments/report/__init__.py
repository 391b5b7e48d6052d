"""A run as one self-contained HTML page: findings first, then tables and pictures, then how to make it again."""

from experiments.report.page import write_report

__all__ = ["write_report"]

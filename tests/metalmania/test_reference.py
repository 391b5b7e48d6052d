"""The reference page of Metal Mania's rules data."""

import doctest

from metalmania_sim import reference


def test_examples_of_the_reference_page():
    failed, tried = doctest.testfile(str(reference.PAGE), module_relative=False)
    assert tried > 0
    assert failed == 0


def test_the_tables_of_the_reference_page_are_current():
    page = reference.PAGE.read_text(encoding="utf-8")
    assert page == reference.fill(page)

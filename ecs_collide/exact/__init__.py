"""The exact response: circles whose impacts are processed in the order of their times (see docs/exact_response.md)."""

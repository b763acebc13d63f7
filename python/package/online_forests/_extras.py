"""Libraries that only a module of the package needs."""

from __future__ import annotations

from importlib import import_module


def require(library: str, extra: str) -> None:
    """Import a library, or raise an error that names the extra which installs it."""
    try:
        import_module(library)
    except ModuleNotFoundError as error:
        if error.name != library:
            raise
        raise ModuleNotFoundError(
            f"online_forests.{extra} needs {library}, which is not installed; "
            f"install the extra {extra!r} of online-forests: pip install 'online-forests[{extra}]', "
            f"or pip install './python[{extra}]' in a checkout",
            name=library,
        ) from error

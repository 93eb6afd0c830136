"""Hooks of schemathesis: vary the sender, so that rate limits hide nothing, and fail on code 5000."""

import itertools

import schemathesis

senders = itertools.count(1)


@schemathesis.hook
def before_call(context, case, kwargs):
    number = next(senders)
    case.headers["X-Forwarded-For"] = f"198.{100 + number // 65536 % 100}.{number // 256 % 256}.{number % 256}"


@schemathesis.check
def not_an_internal_error(context, response, case):
    try:
        answer = response.json()
    except ValueError:
        return
    if isinstance(answer, dict) and answer.get("Code") == 5000:
        raise AssertionError("the server answered code 5000")

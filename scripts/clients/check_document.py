"""Checks that the OpenAPI document is valid OpenAPI 3.1, and that every example matches its schema.

    check_document.py openapi.json
"""

import json
import sys

from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator


def examples(document):
    """Every example with its schema and location."""
    for path, methods in document["paths"].items():
        for operation in methods.values():
            bodies = [("request", operation.get("requestBody", {}))]
            bodies += [(f"answer {status}", answer) for status, answer in operation["responses"].items()]
            for what, body in bodies:
                for content in body.get("content", {}).values():
                    if "example" in content:
                        yield f"{path}: {what}", content["schema"], content["example"]
    for name, answer in document["components"].get("responses", {}).items():
        for content in answer.get("content", {}).values():
            if "example" in content:
                yield name, content["schema"], content["example"]


def main(path):
    with open(path, encoding="utf-8") as file:
        document = json.load(file)
    wrong = [f"{list(error.absolute_path)}: {error.message}" for error in OpenAPIV31SpecValidator(document).iter_errors()]
    count = 0
    for where, schema, example in examples(document):
        count += 1
        validator = Draft202012Validator({**schema, "components": document["components"]})
        wrong += [f"{where}: {error.json_path}: {error.message}" for error in validator.iter_errors(example)]
    for line in wrong:
        print(line[:400])
    print(f"{len(document['paths'])} calls, {count} examples, {len(wrong)} wrong")
    return 1 if wrong or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

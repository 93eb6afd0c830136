"""Buys an IP with the client generated from the OpenAPI document by openapi-python-client.

    buy.py URL ADDRESS PASSWORD
"""

import sys

from postern_api import AuthenticatedClient, Client
from postern_api.api.ips import ips_get_country_list, ips_get_user_node_list
from postern_api.api.order import order_create_order, order_quote_order
from postern_api.api.user import user_get_wallet, user_login
from postern_api.models import CreateOrder, LineRequest, ListRequest, Login, QuoteOrder, Refusal, StockFilter

REGULAR = "shared ISP proxies plan"


def data_of(answer):
    """The data of a successful response."""
    if answer is None or isinstance(answer, Refusal):
        raise SystemExit(f"refused: {answer}")
    return answer.data


def main(url, email, password):
    visitor = Client(base_url=url, raise_on_unexpected_status=True)
    wrong = user_login.sync(client=visitor, body=Login(email=email, password=password + "x"))
    assert isinstance(wrong, Refusal) and wrong.code == 3333 and wrong.data.key == "signInFailed", wrong
    token = data_of(user_login.sync(client=visitor, body=Login(email=email, password=password))).token
    client = AuthenticatedClient(
        base_url=url, token=token, prefix="", auth_header_name="Token", raise_on_unexpected_status=True
    )
    unknown = AuthenticatedClient(base_url=url, token="nobody's", prefix="", auth_header_name="Token")
    assert user_get_wallet.sync_detailed(client=unknown).status_code == 401
    before = data_of(user_get_wallet.sync(client=client)).wallet_balance

    countries = data_of(ips_get_country_list.sync(client=client, body=StockFilter(ver_str=REGULAR)))
    country, city = next((country, city) for country in countries for city in country.cities if city.stock > 0)
    lines = [LineRequest(country=country.country, city=city.city, quantity=1)]
    quote = data_of(order_quote_order.sync(client=client, body=QuoteOrder(ver_str=REGULAR, period_days=30, lines=lines)))
    order = CreateOrder(
        ver_str=REGULAR, period_days=30, lines=lines, expected_total=quote.total, pay_from_wallet=True
    )
    bought = data_of(order_create_order.sync(client=client, body=order, idempotency_key="python-1"))
    assert bought.state == "fulfilled" and bought.total == quote.total, bought
    again = data_of(order_create_order.sync(client=client, body=order, idempotency_key="python-1"))
    assert again.order_id == bought.order_id, "the same key bought twice"

    nodes = data_of(ips_get_user_node_list.sync(client=client, body=ListRequest(search="", page=1)))
    assert nodes.total >= 1 and nodes.rows[0].ip, nodes
    after = data_of(user_get_wallet.sync(client=client)).wallet_balance
    print(f"Python: bought for {bought.total} in {city.city}, the wallet went from {before} to {after}, {nodes.total} nodes")


if __name__ == "__main__":
    main(*sys.argv[1:])

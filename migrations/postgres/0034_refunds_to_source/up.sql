-- Refunds that the shop makes to where the money came from: each is a return of the kind `by_shop`, with its reference as the shop's id of it.
CREATE TABLE source_refunds (
  return_id BIGINT PRIMARY KEY REFERENCES payment_returns (id),
  -- The refund of an order; a top-up has none.
  refund_id BIGINT UNIQUE REFERENCES refunds (id),
  -- The gateway's charge that it is of.
  charge TEXT NOT NULL,
  -- The gateway's id of it, once known.
  gateway_reference TEXT,
  -- Where the customer says where it goes.
  claim_url TEXT,
  -- Whether an operator has to send it, and record the outcome.
  is_by_hand BOOLEAN NOT NULL,
  -- Whether an attempt may have reached the gateway.
  may_be_sent BOOLEAN NOT NULL DEFAULT FALSE,
  -- Why the last attempt failed.
  trouble TEXT NOT NULL DEFAULT '',
  -- When it is sent, or its gateway is asked about it.
  next_try_at TIMESTAMP,
  created_at TIMESTAMP NOT NULL
);
CREATE INDEX source_refunds_due ON source_refunds (next_try_at) WHERE next_try_at IS NOT NULL;

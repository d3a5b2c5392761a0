-- Requests per caller and time window.
CREATE TABLE throttles (
  scope text NOT NULL,
  key text NOT NULL,
  hits integer NOT NULL,
  resets_at timestamptz NOT NULL,
  PRIMARY KEY (scope, key)
);
CREATE INDEX throttles_expired ON throttles (resets_at);

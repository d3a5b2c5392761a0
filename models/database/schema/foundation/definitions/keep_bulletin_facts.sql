-- Refuses changes of a bulletin that was sent, and of outcomes that are final. A recipient whose mail may have arrived is
-- never mailed again unless an administrator includes unknown outcomes.
CREATE OR REPLACE FUNCTION app.keep_bulletin_facts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'facts recorded in % % cannot be changed', TG_TABLE_NAME, OLD.id
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'fact_of_bulletins';
END $$;

CREATE OR REPLACE TRIGGER foundation_bulletins_facts BEFORE UPDATE ON foundation_bulletins
  FOR EACH ROW WHEN (pg_has_role(current_user, :'runtime', 'MEMBER') AND (
    OLD.status IN ('sending', 'sent') AND (NEW.subject, NEW.body_html, NEW.body_text, NEW.audience, NEW.campaign_id)
      IS DISTINCT FROM (OLD.subject, OLD.body_html, OLD.body_text, OLD.audience, OLD.campaign_id)
    OR OLD.status IN ('sending', 'sent') AND NEW.status IN ('draft', 'scheduled')
    OR NEW.round < OLD.round))
  EXECUTE FUNCTION app.keep_bulletin_facts();
CREATE OR REPLACE TRIGGER bulletin_recipients_facts BEFORE UPDATE ON foundation_bulletin_recipients
  FOR EACH ROW WHEN (pg_has_role(current_user, :'runtime', 'MEMBER') AND (
    OLD.status IN ('sent', 'bounced', 'skipped') AND NEW.status NOT IN (OLD.status, 'bounced')
    OR OLD.reason = 'refused' AND NEW.status <> OLD.status
    OR NEW.email <> OLD.email OR NEW.claimed_round < OLD.claimed_round))
  EXECUTE FUNCTION app.keep_bulletin_facts();

-- Finds rows whose process should be running, judged by the rows alone and not by the state of the process. Every table
-- whose rows start a process has a SELECT here (a test checks this). Recovery calls this function for all organizations
-- and the platform; it returns only ids.
CREATE OR REPLACE FUNCTION app.pending_intents(p_processes text[], p_organization uuid, p_row uuid, p_age interval,
                                               p_after uuid, p_limit int)
  RETURNS TABLE (process text, organization_id uuid, row_id uuid, input jsonb, since timestamptz)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT * FROM (
    SELECT 'payRemittance' AS process, a.organization_id, a.id AS row_id,
           jsonb_build_object('organizationId', a.organization_id, 'remittanceId', r.id, 'attemptId', a.id,
                              'chapterId', r.chapter_id) AS input, a.created_at AS since
      FROM payment_attempts a
      JOIN chapter_remittances r ON r.organization_id = a.organization_id AND r.id = a.remittance_id
     WHERE a.status = 'pending'
    UNION ALL
    SELECT CASE WHEN a.donation_id IS NULL THEN 'hostedPage' ELSE 'donationPage' END, a.organization_id, a.id,
           jsonb_build_object('organizationId', a.organization_id, 'attemptId', a.id), a.created_at
      FROM payment_attempts a WHERE a.status = 'pending' AND a.has_page
    -- Finished payment attempts whose checkout pages the provider has not confirmed as closed.
    UNION ALL
    SELECT CASE WHEN a.donation_id IS NULL THEN 'hostedPage' ELSE 'donationPage' END, a.organization_id, a.id,
           jsonb_build_object('organizationId', a.organization_id, 'attemptId', a.id), a.created_at
      FROM payment_attempts a WHERE a.status <> 'pending' AND a.checkout_keys > 0 AND a.checkout_closed_at IS NULL
    UNION ALL
    SELECT 'applyProcessorEvent', e.organization_id, e.id,
           jsonb_build_object('organizationId', e.organization_id, 'webhookEventId', e.id), e.created_at
      FROM webhook_events e WHERE e.processed_at IS NULL
    UNION ALL
    SELECT CASE WHEN c.donation_id IS NULL THEN 'giveBackPayment' ELSE 'donationRefund' END, r.organization_id, r.id,
           jsonb_build_object('organizationId', r.organization_id, 'captureId', r.capture_id, 'resolutionId', r.id),
           r.created_at
      FROM capture_resolutions r
      JOIN processor_captures c ON c.organization_id = r.organization_id AND c.id = r.capture_id
     WHERE r.status = 'pending'
    UNION ALL
    SELECT 'refund', r.organization_id, r.id,
           jsonb_build_object('organizationId', r.organization_id, 'refundId', r.id), r.created_at
      FROM refunds r WHERE r.finished_at IS NULL
    UNION ALL
    SELECT 'refundRequest', r.organization_id, r.id,
           jsonb_build_object('organizationId', r.organization_id, 'requestId', r.id), r.created_at
      FROM refund_requests r WHERE r.status = 'pending'
    UNION ALL
    SELECT 'planFreeze', r.organization_id, r.id,
           jsonb_build_object('organizationId', r.organization_id, 'requestId', r.id), r.created_at
      FROM payment_plan_requests r WHERE r.status = 'pending' AND r.freeze_anchor IS NOT NULL AND r.thawed_at IS NULL
    UNION ALL
    SELECT 'planBulkApproval', b.organization_id, b.id,
           jsonb_build_object('organizationId', b.organization_id, 'approvalId', b.id), b.created_at
      FROM plan_bulk_approvals b WHERE b.status = 'approving'
    UNION ALL
    SELECT 'bulkAction', b.organization_id, b.id,
           jsonb_build_object('organizationId', b.organization_id, 'bulkActionId', b.id), b.created_at
      FROM process_bulk_actions b WHERE b.ended_at IS NULL
    UNION ALL
    SELECT 'terminalSettlement', s.organization_id, s.id,
           jsonb_build_object('organizationId', s.organization_id, 'settlementId', s.id), s.created_at
      FROM terminal_settlements s WHERE s.finished_at IS NULL
    UNION ALL
    SELECT 'issueDues', d.organization_id, d.id,
           jsonb_build_object('organizationId', d.organization_id, 'duesRunId', d.id), d.created_at
      FROM dues_runs d WHERE d.status = 'running'
    UNION ALL
    SELECT CASE r.status WHEN 'running' THEN 'rollOver' ELSE 'revertRollover' END, r.organization_id, r.id,
           jsonb_build_object('organizationId', r.organization_id, 'rolloverId', r.id),
           coalesce(r.revert_started_at, r.created_at)
      FROM rollovers r WHERE r.status IN ('running', 'reverting')
    UNION ALL
    SELECT 'exportInvoices', x.organization_id, x.id,
           jsonb_build_object('organizationId', x.organization_id, 'exportId', x.id), x.created_at
      FROM invoice_exports x WHERE x.state IN ('queued', 'running')
    UNION ALL
    SELECT 'ledgerCheck', c.organization_id, c.id,
           jsonb_build_object('organizationId', c.organization_id, 'checkId', c.id), c.started_at
      FROM ledger_checks c WHERE c.status = 'running'
    UNION ALL
    SELECT 'drawDocument', d.organization_id, d.id,
           jsonb_build_object('organizationId', d.organization_id, 'documentId', d.id), d.created_at
      FROM drawn_documents d WHERE d.drawn_at IS NULL
    UNION ALL
    SELECT 'exportRoster', x.organization_id, x.id,
           jsonb_build_object('organizationId', x.organization_id, 'exportId', x.id), x.created_at
      FROM roster_exports x WHERE x.status = 'running'
    UNION ALL
    SELECT 'cross', c.organization_id, c.id,
           jsonb_build_object('organizationId', c.organization_id, 'crossingId', c.id), c.created_at
      FROM crossings c WHERE c.welcomed_at IS NULL AND c.cancelled_at IS NULL AND c.reverted_at IS NULL
    UNION ALL
    SELECT 'provisionAccount', r.organization_id, r.id,
           jsonb_build_object('organizationId', r.organization_id, 'recordId', r.id), r.updated_at
      FROM account_provisioning_records r
     WHERE (r.status IN ('pending', 'creating') OR (r.status IN ('active', 'suspended') AND r.status <> r.wants))
       -- Excludes account records of an organization whose credentials the provider refuses: they wait without a
       -- process until the credentials change.
       AND NOT EXISTS (SELECT FROM account_provisioning_rests x
                        WHERE x.organization_id = r.organization_id AND x.rests_until IS NULL)
    UNION ALL
    SELECT 'referenceLetter', l.organization_id, l.id,
           jsonb_build_object('organizationId', l.organization_id, 'letterId', l.id), l.created_at
      FROM pnm_reference_letters l WHERE l.status = 'requested'
    -- Application versions with a request that is not carried out yet. A version is made current only while its
    -- recruitment period is active; until then it has no process.
    UNION ALL
    SELECT 'settleApplication', v.organization_id, v.id,
           jsonb_build_object('organizationId', v.organization_id, 'versionId', v.id, 'wants', v.wants), v.wanted_at
      FROM pnm_application_versions v
     WHERE v.wants IS NOT NULL AND (v.wants <> 'counted' OR EXISTS (
       SELECT FROM pnm_applications a
         JOIN recruitment_periods p ON p.organization_id = a.organization_id AND p.id = a.recruitment_period_id
        WHERE a.organization_id = v.organization_id AND a.id = v.application_id AND p.status = 'active'))
    UNION ALL
    SELECT 'recruitmentTurn', p.organization_id, p.id,
           jsonb_build_object('organizationId', p.organization_id, 'periodId', p.id, 'turn', p.turn::text), p.turned_at
      FROM recruitment_periods p WHERE p.settled_turn < p.turn AND p.stopped_turn < p.turn
    UNION ALL
    SELECT 'donationReceipt', t.organization_id, t.id,
           jsonb_build_object('organizationId', t.organization_id, 'receiptId', t.id), t.mail_requested_at
      FROM tax_receipts t WHERE t.mail_status = 'waiting'
       -- A running run mails its own receipts.
       AND NOT EXISTS (SELECT FROM annual_receipt_runs r WHERE r.organization_id = t.organization_id
                          AND r.id = t.annual_run_id AND r.status = 'running')
    UNION ALL
    SELECT 'annualReceipts', r.organization_id, r.id,
           jsonb_build_object('organizationId', r.organization_id, 'runId', r.id), r.created_at
      FROM annual_receipt_runs r WHERE r.status = 'running'
    -- Pledges that are not cancelled, and cancelled ones whose card the provider has not deleted yet or whose mail waits.
    UNION ALL
    SELECT 'recurringPledge', g.organization_id, g.id,
           jsonb_build_object('organizationId', g.organization_id, 'pledgeId', g.id), g.created_at
      FROM recurring_pledges g
     WHERE g.status <> 'cancelled' OR g.card_encrypted IS NOT NULL OR g.retired_card_encrypted IS NOT NULL
    UNION ALL
    SELECT DISTINCT ON (g.id) 'recurringPledge', g.organization_id, g.id,
           jsonb_build_object('organizationId', g.organization_id, 'pledgeId', g.id), n.created_at
      FROM pledge_notices n JOIN recurring_pledges g ON g.organization_id = n.organization_id AND g.id = n.pledge_id
     WHERE n.status = 'waiting' AND g.status = 'cancelled' AND g.card_encrypted IS NULL AND g.retired_card_encrypted IS NULL
    UNION ALL
    SELECT 'pledgeCharge', d.organization_id, d.pledge_id,
           jsonb_build_object('organizationId', d.organization_id, 'pledgeId', d.pledge_id, 'period', d.n::text), d.created_at
      FROM pledge_periods d WHERE d.status = 'open'
    -- Withdrawn periods whose charge is not closed at the provider yet.
    UNION ALL
    SELECT 'pledgeCharge', d.organization_id, d.pledge_id,
           jsonb_build_object('organizationId', d.organization_id, 'pledgeId', d.pledge_id, 'period', d.n::text), a.created_at
      FROM payment_attempts a JOIN pledge_periods d ON d.organization_id = a.organization_id AND d.donation_id = a.donation_id
     WHERE a.status = 'pending' AND a.pledge_id IS NOT NULL AND NOT a.has_page AND d.status = 'missed'
    UNION ALL
    SELECT 'foundationBulletin', b.organization_id, b.id,
           jsonb_build_object('organizationId', b.organization_id, 'bulletinId', b.id, 'round', b.round::text),
           b.updated_at
      FROM foundation_bulletins b WHERE b.status IN ('scheduled', 'sending') AND b.held_at IS NULL
    -- Stopped bulletins with mails whose outcome is not recorded yet.
    UNION ALL
    SELECT 'foundationBulletin', b.organization_id, b.id,
           jsonb_build_object('organizationId', b.organization_id, 'bulletinId', b.id, 'round', b.round::text),
           b.updated_at
      FROM foundation_bulletins b
     WHERE b.status = 'sent' AND EXISTS (SELECT FROM foundation_bulletin_recipients r
       WHERE r.organization_id = b.organization_id AND r.bulletin_id = b.id AND r.status = 'pending'
         AND r.claimed_round IS NOT NULL)
    UNION ALL
    SELECT 'forumWithdrawal', w.organization_id, w.post_id,
           jsonb_build_object('organizationId', w.organization_id, 'postId', w.post_id, 'version', w.version::text),
           w.created_at
      FROM forum_withdrawals w WHERE w.finished_at IS NULL
    UNION ALL
    SELECT 'scanFile', s.organization_id, s.id,
           jsonb_build_object('organizationId', s.organization_id, 'fileId', s.id), s.kept_at
      FROM stored_files s WHERE s.status = 'held'
    UNION ALL
    SELECT 'importStep', i.organization_id, i.id,
           jsonb_build_object('organizationId', i.organization_id, 'importId', i.id, 'step', i.step,
                              'run', i.runs::text), i.step_started_at
      FROM bulk_imports i WHERE i.step IS NOT NULL
    UNION ALL
    SELECT 'storageMigration', m.organization_id, m.id,
           jsonb_build_object('organizationId', m.organization_id, 'migrationId', m.id), m.updated_at
      FROM storage_migrations m WHERE m.ended_at IS NULL
    -- An organization has at most one running provisioning, so the organization's id serves as row id and workflow id.
    UNION ALL
    SELECT 'storageProvisioning', p.organization_id, p.organization_id,
           jsonb_build_object('organizationId', p.organization_id, 'provisioningId', p.id, 'number', p.number::text),
           p.created_at
      FROM storage_provisionings p WHERE p.status = 'running'
    UNION ALL
    SELECT 'notificationFanout', f.organization_id, f.id,
           jsonb_build_object('organizationId', f.organization_id, 'fanoutId', f.id), f.created_at
      FROM notification_fanouts f WHERE f.status = 'running'
    UNION ALL
    SELECT 'publishSocialPost', p.organization_id, p.id,
           jsonb_build_object('organizationId', p.organization_id, 'socialPostId', p.id), p.publish_at
      FROM social_posts p WHERE p.status IN ('scheduled', 'publishing')
    UNION ALL
    SELECT 'publishBulletin', b.organization_id, b.id,
           jsonb_build_object('organizationId', b.organization_id, 'bulletinId', b.id, 'edition', b.edition::text),
           coalesce(b.publish_at, b.updated_at)
      FROM bulletins b WHERE b.told_edition < b.edition
    UNION ALL
    SELECT 'sendAccountNotice', NULL, n.id, jsonb_build_object('organizationId', NULL, 'noticeId', n.id), n.created_at
      FROM account_notices n WHERE n.outcome IS NULL
    UNION ALL
    SELECT 'platformAlert', NULL, a.id, jsonb_build_object('organizationId', NULL, 'alertId', a.id), a.created_at
      FROM platform_alerts a WHERE a.status = 'running'
    UNION ALL
    SELECT 'deleteAccount', NULL, d.id, jsonb_build_object('organizationId', NULL, 'deletionId', d.id), d.created_at
      FROM account_deletions d WHERE d.status IN ('requested', 'erasing')) waiting
   WHERE waiting.process = ANY(p_processes) AND (p_organization IS NULL OR waiting.organization_id = p_organization)
     AND (p_row IS NULL OR waiting.row_id = p_row) AND (p_after IS NULL OR waiting.row_id > p_after)
     AND waiting.since < now() - p_age
   -- A pledge and its open period have the same row id. A page never ends between them.
   ORDER BY waiting.row_id FETCH FIRST p_limit ROWS WITH TIES $$;
REVOKE ALL ON FUNCTION app.pending_intents(text[], uuid, uuid, interval, uuid, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION app.pending_intents(text[], uuid, uuid, interval, uuid, integer) TO :"runtime";

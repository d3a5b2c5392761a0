import { config } from '../../config.js';
import type { DemoFacts } from './facts.js';

/** Returns the address of a workflow in the Temporal UI. */
export const workflowUrl = ({ temporal_ui_url: ui }: Pick<DemoFacts, 'temporal_ui_url'>, workflowId: string): string =>
  `${ui}/namespaces/${config.TEMPORAL_NAMESPACE}/workflows/${encodeURIComponent(workflowId)}`;

import { STATUS_LABELS } from '../members/labels';
import type { Rate } from './queries';

/** Returns the name of a rate, for example `Undergraduate, Fall 2026`. */
export const nameOf = ({ term_name, status }: Rate): string => `${STATUS_LABELS[status]}, ${term_name}`;

/** Types of tiers.cjs. */
export const FAST: string;
export const SLOW: Record<string, string[]>;
export const TIERS: string[];
export function tierOf(file: string): string;
export function testMatch(tier?: string): string[];

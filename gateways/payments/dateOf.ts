/** Returns a provider's time; null for a missing or unreadable one. */
export function dateOf(text: string | null | undefined): Date | null {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? null : new Date(at);
}

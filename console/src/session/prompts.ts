/**
 * Questions that a request asks the person before it continues: to sign in again, or to authenticate again. Requests
 * that ask at the same time share one dialog.
 */
import { useSyncExternalStore } from 'react';

export interface Prompt {
  kind: 'session' | 'step_up';
  /** The API's sentence that says what is required. */
  detail: string;
  /** Closes the dialog. @param isDone whether the request continues */
  close(isDone: boolean): void;
}

let current: { prompt: Prompt; answer: Promise<boolean> } | null = null;
const listeners = new Set<() => void>();
const announce = (): void => listeners.forEach((listener) => listener());

function ask(kind: Prompt['kind'], detail: string): Promise<boolean> {
  if (current?.prompt.kind === kind) return current.answer;
  // The other dialog is open: ask once it is closed.
  if (current) return current.answer.then((isDone) => isDone && ask(kind, detail));
  let settle: (isDone: boolean) => void = () => undefined;
  const answer = new Promise<boolean>((resolve) => (settle = resolve));
  const close = (isDone: boolean): void => {
    current = null;
    announce();
    settle(isDone);
  };
  current = { prompt: { kind, detail, close }, answer };
  announce();
  return answer;
}

/** Asks to sign in again. @returns whether the person did */
export const askForSession = (): Promise<boolean> =>
  ask('session', 'Your session has ended. Sign in to go on; what you have typed is kept.');

/** Asks for a recent authentication. @returns whether the person gave one */
export const askForStepUp = (detail: string): Promise<boolean> => ask('step_up', detail);

/** The open dialog; null if there is none. */
export const usePrompt = (): Prompt | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current?.prompt ?? null,
  );

import { useEffect, useRef } from 'react';

interface Focusable {
  focus(): void;
}

/** Focuses a control once its dialog is open: dialogs focus their first control themselves, so this waits a frame. */
export function useFocusedInput<Control extends Focusable>() {
  const control = useRef<Control>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => control.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  return control;
}

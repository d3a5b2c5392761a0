import Alert, { type AlertProps } from '@cloudscape-design/components/alert';
import { type ReactNode, useEffect, useRef } from 'react';

interface AnnouncedProps {
  type: AlertProps.Type;
  header: string;
  children?: ReactNode;
}

/** Says what has happened. It gets the focus, so that it is read out and the keyboard continues there. */
export function Announced({ type, header, children }: AnnouncedProps) {
  const alert = useRef<AlertProps.Ref>(null);
  useEffect(() => alert.current?.focus(), [header]);
  return (
    <Alert ref={alert} type={type} header={header}>
      {children}
    </Alert>
  );
}

import { type ReactNode, useEffect } from 'react';
import { useFocusedHeading } from '../parts/Page';

interface NarrowPageProps {
  title: string;
  /** Whether a control of the page takes the focus, instead of the `h1`. */
  keepsFocus?: boolean;
  children: ReactNode;
}

/** A page without navigation. Its content contains the `h1`. */
export function NarrowPage({ title, keepsFocus = false, children }: NarrowPageProps) {
  const element = useFocusedHeading(!keepsFocus);
  useEffect(() => {
    document.title = `${title} · Membership console`;
  }, [title]);
  return (
    <main ref={element} className="narrow">
      {children}
    </main>
  );
}

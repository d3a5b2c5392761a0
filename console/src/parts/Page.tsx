import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import { type ReactNode, useEffect, useRef } from 'react';

interface PageProps {
  title: string;
  /** Text below the title. Must contain no link or button: the next stop of the keyboard is in the content. */
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** The content of a screen below its `h1`, which gets the focus when the screen opens. */
export function Page({ title, description, actions, children }: PageProps) {
  const heading = useFocusedHeading();
  useEffect(() => {
    document.title = `${title} · Membership console`;
  }, [title]);
  return (
    <div ref={heading}>
      <ContentLayout
        header={
          <Header variant="h1" description={description} actions={actions}>
            {title}
          </Header>
        }
      >
        <div className="sections">{children}</div>
      </ContentLayout>
    </div>
  );
}

/** Focuses the `h1` within the returned element once it is shown. @param isWanted whether to do so */
export function useFocusedHeading(isWanted = true) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isWanted) return;
    const heading = element.current?.querySelector('h1');
    heading?.setAttribute('tabindex', '-1');
    heading?.focus({ preventScroll: true });
  }, [isWanted]);
  return element;
}

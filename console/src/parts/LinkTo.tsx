import Link, { type LinkProps } from '@cloudscape-design/components/link';
import type { ReactNode } from 'react';
import { useScreens } from './useScreens';

interface LinkToProps {
  /** Path within the console, with its query, for example `/console/processes?stuck=true`. */
  href: string;
  variant?: LinkProps.Variant;
  fontSize?: LinkProps.FontSize;
  ariaLabel?: string;
  children: ReactNode;
}

/** A link to a screen, which opens without loading the page again. */
export function LinkTo({ href, children, ...style }: LinkToProps) {
  const { open, addressOf } = useScreens();
  return (
    <Link
      {...style}
      href={addressOf(href)}
      onFollow={(event) => {
        event.preventDefault();
        open(href);
      }}
    >
      {children}
    </Link>
  );
}

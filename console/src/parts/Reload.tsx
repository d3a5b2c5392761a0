import Button from '@cloudscape-design/components/button';

export const Reload = ({ query }: { query: { refetch: () => Promise<unknown> } }) => (
  <Button iconName="refresh" ariaLabel="Reload" onClick={() => void query.refetch()} />
);

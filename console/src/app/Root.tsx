import { Outlet } from '@tanstack/react-router';
import { SessionDialogs } from '../session/SessionDialogs';

export function Root() {
  return (
    <>
      <Outlet />
      <SessionDialogs />
    </>
  );
}

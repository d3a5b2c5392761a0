/** Builds the router from the lists of screens. */
import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { Loading } from '../parts/Loaded';
import { MissingScreen } from '../screens/missing/MissingScreen';
import { BrokenScreen } from './BrokenScreen';
import { ConsoleFrame, OwnFrame } from './Frame';
import { Root } from './Root';
import { OWN_SCREENS, PUBLIC_PAGES, SCREENS } from './screens';

const CONSOLE = '/console';

type Parent = typeof root;

const root = createRootRoute({ component: Root });
const ofConsole = createRoute({
  getParentRoute: () => root,
  path: CONSOLE,
  component: ConsoleFrame,
  notFoundComponent: MissingScreen,
});
const ofPerson = createRoute({ getParentRoute: () => root, id: 'own', component: OwnFrame });

/** Creates the routes of a list. Paths are relative to that of the parent. */
const routesOf = (screens: typeof SCREENS, parent: unknown, prefix = '') =>
  Object.entries(screens).map(([path, component]) =>
    createRoute({ getParentRoute: () => parent as Parent, path: path.slice(prefix.length) || '/', component }),
  );

/** Values of the address are texts: filters are passed to the API as they are. */
const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));

function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(([, value]) => value !== undefined);
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

export const router = createRouter({
  routeTree: root.addChildren([
    ofConsole.addChildren(routesOf(SCREENS, ofConsole, CONSOLE)),
    ofPerson.addChildren(routesOf(OWN_SCREENS, ofPerson)),
    ...routesOf(PUBLIC_PAGES, root),
  ]),
  defaultNotFoundComponent: MissingScreen,
  defaultErrorComponent: BrokenScreen,
  defaultPendingComponent: Loading,
  parseSearch,
  stringifySearch,
});

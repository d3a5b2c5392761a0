/** Permissions: every declared policy, for every kind of person, on their own rows and on others'. */
import '../../api/routes.js';
import { allPolicies } from '../../api/http/policy.js';
import { expected } from './matrix/expected.js';
import { actorOf, PEOPLE, type PersonName, reachOf } from './matrix/people.js';

const declared = allPolicies();

test('every declared policy has a table here, and every table a policy', () => {
  expect(declared.map(({ subject }) => subject).toSorted()).toEqual(Object.keys(expected).toSorted());
});

describe.each(declared.map((policy) => [policy.subject, policy] as const))('%s', (subject, { actions }) => {
  test(`every action of ${subject} has a line in the matrix`, () => {
    expect(Object.keys(actions).toSorted()).toEqual(Object.keys(expected[subject] ?? {}).toSorted());
  });

  test.each(Object.keys(actions))(`%s of ${subject} is granted as in the matrix`, (action) => {
    const actual = Object.fromEntries(
      (Object.keys(PEOPLE) as PersonName[]).flatMap((name) => {
        const actor = actorOf(PEOPLE[name]);
        const reach = reachOf(PEOPLE[name], (about) =>
          (actions[action] ?? []).some((grant) => grant.holds(actor, about)),
        );
        return reach ? [[name, reach]] : [];
      }),
    );
    expect(actual).toEqual(expected[subject]?.[action]);
  });
});

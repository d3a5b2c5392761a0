/** Compares the realtime topics of a forum with the model: who may subscribe, and whom each text signals to. */
import { inTenant } from '../../../models/database/tenancy.js';
import { findListeners } from '../../../models/notifications/realtime/topics.js';
import { PEOPLE } from './visibilityAccess.support.js';
import type { Stage } from './visibilityStage.support.js';
import type { Model } from './visibilityTexts.support.js';

/** Requires that the topics of a forum and of its threads reach exactly the people who see what changed. */
export async function expectListeners(stage: Stage, model: Model, forum: number): Promise<void> {
  const texts = model.texts.filter((text) => text.forum === forum);
  const events = texts.map((text) => ({
    event: { type: 'forum_thread.changed', post: stage.idOf(text.thread), comment: text.post && stage.idOf(text) },
    facts: { was_shown: false },
  }));
  const expectTopic = async (topic: string, isAllowed: (person: number) => boolean) => {
    const found = await inTenant(stage.organizationId, () => findListeners(topic, stage.people, events));
    for (const person of PEOPLE) {
      const seen = texts.flatMap((text, at) => (model.sees(person, text) ? [at] : []));
      expect([topic, found.get(stage.people[person] as string)]).toEqual([topic, isAllowed(person) ? seen : undefined]);
    }
  };
  await expectTopic(`forum:${stage.forums[forum]}`, (person) => model.roleOf(person, forum) !== null);
  for (const post of model.postsOf(forum))
    await expectTopic(`forum_post:${stage.idOf(post)}`, (person) => model.sees(person, post));
}

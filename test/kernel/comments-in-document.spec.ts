import { expect, it } from '@jest/globals';
import { commentsIn } from '../../src/http/server/comments-in-document.js';

const source = `class LoomsController {
    constructor(commands) { this.commands = commands; }
    /** Lists the looms. */
    async list(caller) { return {}; }
    /**
     * Makes a loom
     * for {@link Weaver}s. Answers its id.
     * Members only.
     *
     * @throws ApplicationError when there is one
     */
    make(caller) { /** Not of a method. */ return caller; }
    silent() { return 2 * 3 /* nothing */; }
    /** Keeps 2 * 3 looms */
    keep() { }
}`;

it('The comments of a class tell what its methods do', () => {
  expect(Object.fromEntries(commentsIn(source))).toEqual({
    list: { summary: 'Lists the looms', description: '' },
    make: { summary: 'Makes a loom for Weavers', description: 'Answers its id.\nMembers only.' },
    keep: { summary: 'Keeps 2 * 3 looms', description: '' },
  });
});

it('A comment that never ends takes no longer than its length', () => {
  expect(commentsIn(`/**${' *'.repeat(200_000)}`).size).toBe(0);
});

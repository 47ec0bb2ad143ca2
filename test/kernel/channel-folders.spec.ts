import { describe, expect, it } from '@jest/globals';
import {
  channelFoldersFold,
  CHANNEL_FOLDERS_STREAM,
  type ChannelFolders,
} from '../../src/access/records/channel-folders.js';
import type { ChannelFolderEvent } from '../../src/events/channel-folders.js';
import {
  decideChangeFolder,
  decideCreateFolder,
  decideReorderFolders,
  type FolderChanges,
} from '../../src/contexts/channels/folders/folders.decide.js';
import { budgets } from '../../src/kernel/budgets.js';
import { createChannel } from '../support/channels.js';
import { refusal } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

/** An organization with an administrator, and decisions about its folders. */
class Scene {
  readonly world = new TestOrganization();
  readonly administrator = this.world.register({ role: 200 });

  get folders(): ChannelFolders {
    return this.world.log.fold(channelFoldersFold, CHANNEL_FOLDERS_STREAM);
  }

  get names(): string[] {
    return this.folders.folders.map(({ name }) => name);
  }

  create(name: string, description = '', actorId = this.administrator): readonly ChannelFolderEvent[] {
    return this.happened(decideCreateFolder(this.folders, { name, description }, this.acting(actorId)));
  }

  change(changes: FolderChanges, actorId = this.administrator): readonly ChannelFolderEvent[] {
    return this.happened(decideChangeFolder(this.folders, changes, this.acting(actorId)));
  }

  reorder(order: readonly number[], actorId = this.administrator): readonly ChannelFolderEvent[] {
    return this.happened(decideReorderFolders(this.folders, order, this.acting(actorId)));
  }

  private acting(actorId: number): Parameters<typeof decideCreateFolder>[2] {
    return { user: this.world.user(actorId), snapshot: this.world.snapshot() };
  }

  private happened(events: readonly ChannelFolderEvent[]): readonly ChannelFolderEvent[] {
    this.world.log.append(CHANNEL_FOLDERS_STREAM, events);
    return events;
  }
}

describe('a channel folder', () => {
  it('is made last of all, under the id of its event', () => {
    const scene = new Scene();
    expect(scene.create(' Engineering ', ' What we *build* ')).toEqual([
      {
        type: 'ChannelFolderCreated',
        data: { folderId: 1, name: 'Engineering', description: 'What we *build*' },
      },
    ]);
    scene.create('Sales');
    expect(scene.names).toEqual(['Engineering', 'Sales']);
    expect(scene.world.snapshot().directory.channelFolders).toEqual(scene.folders);
  });

  it.each([
    ['channelFolderNameEmpty', ' '],
    ['channelFolderNameTooLong', 'x'.repeat(61)],
    ['channelFolderNameUnprintable', 'a\u0007b'],
    ['channelFolderNameTaken', 'SALES'],
  ])('is refused as %s: %j', (row, name) => {
    const scene = new Scene();
    scene.create('Sales');
    expect(refusal(() => scene.create(name))).toBe(row);
  });

  it('changes only in values that differ', () => {
    const scene = new Scene();
    scene.create('Sales', 'Old');
    expect(scene.change({ folderId: 1, name: 'Sales', description: 'Old', isArchived: false })).toEqual([]);
    expect(scene.change({ folderId: 1, name: 'SALES', description: 'New' })).toEqual([
      { type: 'ChannelFolderRenamed', data: { folderId: 1, name: 'SALES', previousName: 'Sales' } },
      {
        type: 'ChannelFolderDescriptionChanged',
        data: { folderId: 1, description: 'New', previousDescription: 'Old' },
      },
    ]);
    expect(refusal(() => scene.change({ folderId: 9, name: 'x' }))).toBe('invalidChannelFolder');
    expect(refusal(() => scene.change({ folderId: 1, description: 'x'.repeat(1025) }))).toBe(
      'channelDescriptionTooLong',
    );
  });

  it('is archived when no channel is in it, and then leaves its name to others', () => {
    const scene = new Scene();
    scene.create('Sales');
    scene.create('Engineering');
    createChannel(scene.world, [], { folderId: 1 });
    expect(refusal(() => scene.change({ folderId: 1, isArchived: true }))).toBe('channelFolderNotEmpty');
    expect(scene.change({ folderId: 2, isArchived: true })).toEqual([
      { type: 'ChannelFolderArchived', data: { folderId: 2 } },
    ]);
    expect(scene.create('Engineering')).toHaveLength(1);
    const opened = { folderId: 2, isArchived: false };
    expect(refusal(() => scene.change(opened))).toBe('channelFolderNameTaken');
    expect(scene.change({ ...opened, name: 'Machines' })).toHaveLength(2);
    expect(scene.change({ folderId: 2, isArchived: true })).toHaveLength(1);
    expect(scene.change(opened)).toHaveLength(1);
  });

  it('takes its place in an order that names them all', () => {
    const scene = new Scene();
    ['a', 'b', 'c'].forEach((name) => scene.create(name));
    expect(scene.reorder([1, 2, 3])).toEqual([]);
    expect(scene.reorder([3, 1, 2])).toEqual([
      { type: 'ChannelFoldersReordered', data: { folderIds: [3, 1, 2] } },
    ]);
    expect(scene.names).toEqual(['c', 'a', 'b']);
    for (const order of [
      [1, 2],
      [1, 2, 2],
      [1, 2, 4],
      [1, 2, 3, 3],
    ]) {
      expect(refusal(() => scene.reorder(order))).toBe('invalidFolderOrder');
    }
  });

  it('is for administrators to make, to change and to place', () => {
    const scene = new Scene();
    scene.create('Sales');
    for (const role of [300, 400, 600] as const) {
      const id = scene.world.register({ role });
      expect(refusal(() => scene.create('Mine', '', id))).toBe('administratorRequired');
      expect(refusal(() => scene.change({ folderId: 1, name: 'Mine' }, id))).toBe('administratorRequired');
      expect(refusal(() => scene.reorder([1], id))).toBe('administratorRequired');
    }
  });
});

it('The channel folders of an organization have a maximum number, archived ones included', () => {
  const scene = new Scene();
  const actor = { user: scene.world.user(scene.administrator), snapshot: scene.world.snapshot() };
  const create = (count: number) => () => {
    const folders = Array.from({ length: count }, (_, index) => ({
      id: index + 1,
      name: `folder ${index}`,
      description: '',
      creatorId: null,
      createdAt: 0,
      isArchived: index % 2 === 0,
    }));
    return decideCreateFolder({ ...scene.folders, folders }, { name: 'new', description: '' }, actor);
  };
  const { max } = budgets.channelFolders;
  expect(create(max - 1)()).toHaveLength(1);
  expect(refusal(create(max))).toBe('tooManyChannelFolders');
});

import type { ApiClient } from '../../support/api-client.js';
import type { TestConsole } from './test-console.js';

/** Texts that would act, be loaded or break out if they were taken for markup, each as long as it may be. */
export const hostile = {
  person: 'Ada <img src=x onerror=document.title=1 title=x',
  channel: 'engines <svg onload=document.title=1>',
  topic: '"><script>document.title=1</script>',
  text: `<script>document.title=1</script> [run](javascript:document.title=1) https://example.com/x.png\n${'W'.repeat(300)}`,
  organization: `<b onclick=alert(1)>${'W'.repeat(16)}</b>`,
  group: '<iframe srcdoc=x></iframe>',
  case: `<object data=x> ${'W'.repeat(60)}`,
} as const;

/** A page of the console with something on it. */
export interface ShownPage {
  /** Below `/console`. */
  readonly path: string;
  readonly heading: string;
  readonly isFor: 'operators' | 'auditors' | 'everybody';
}

/** What {@link playHostileScene} leaves behind. */
export interface HostileScene {
  readonly pages: readonly ShownPage[];
  readonly member: ApiClient;
  readonly auditor: ApiClient;
}

/** Lets people with hostile names write hostile texts in hostile places, and answers every page that shows them. */
export async function playHostileScene(testConsole: TestConsole): Promise<HostileScene> {
  const { owner, server } = testConsole;
  await owner.must('patch', 'realm', { name: hostile.organization });
  const { id: personId, client: member } = await server.createUser(owner, 'Ada Quill');
  await owner.must('patch', `users/${personId}`, { full_name: hostile.person });
  const auditor = await testConsole.createAuditor('Cleo Vane');
  const channelId = await member.createChannel(hostile.channel);
  const group = { name: hostile.group, description: hostile.text.slice(0, 200), members: [personId] };
  await owner.must('post', 'user_groups/create', group);
  const send = (content: string): Promise<number> =>
    member.sendToChannel(hostile.channel, hostile.topic, content);
  const messageId = await send(hostile.text);
  await member.must('patch', `messages/${messageId}`, { content: `${hostile.text} and more` });
  const gone = await send(hostile.text);
  await owner.must('delete', `messages/${gone}`);
  const about = { name: hostile.case, description: hostile.text.slice(0, 500), user_ids: [personId] };
  const { id: caseId } = await owner.must('post', 'audit/cases', about);
  return { pages: pagesOf({ personId, channelId, messageId, caseId: caseId as number }), member, auditor };
}

function pagesOf({
  personId,
  channelId,
  messageId,
  caseId,
}: Readonly<Record<'personId' | 'channelId' | 'messageId' | 'caseId', number>>): readonly ShownPage[] {
  const conversation = new URLSearchParams({ channel: String(channelId), topic: hostile.topic });
  const operators = (path: string, heading: string): ShownPage => ({ path, heading, isFor: 'operators' });
  const auditors = (path: string, heading: string): ShownPage => ({ path, heading, isFor: 'auditors' });
  return [
    operators('/overview', 'Overview'),
    operators('/models', 'Read models'),
    operators('/dead-letters', 'Dead letters'),
    auditors('/log', 'Log'),
    auditors(`/log?about=${personId}&channel_id=${channelId}`, 'Log'),
    auditors('/people', 'People'),
    auditors(`/people/${personId}`, hostile.person),
    auditors('/channels', 'Channels'),
    auditors(`/channels/${channelId}`, hostile.channel),
    auditors('/messages', 'Message'),
    auditors(`/messages/${messageId}?as=${personId}`, 'Message'),
    auditors('/time-machine', 'Time machine'),
    auditors(`/time-machine?${conversation.toString()}&with=1`, 'Time machine'),
    auditors('/proofs', 'Proofs'),
    auditors('/cases', 'Cases'),
    auditors(`/cases/${caseId}`, hostile.case),
    { path: '/your-data', heading: 'Your data', isFor: 'everybody' },
    { path: '/second-factor', heading: 'Second factor', isFor: 'everybody' },
  ];
}

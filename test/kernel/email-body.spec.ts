import { expect, it } from '@jest/globals';
import { emailBody, paragraph } from '../../src/contexts/mail/email-body.js';

const hostile = '<img src=x onerror=alert(1)>"\'&</a><script>x</script>';
const frame = { organization: 'Engines', site: 'https://chat.example.com', email: 'ada@example.com' };

it('an e-mail is the same as text and as HTML, and says whose it is and how to log in', () => {
  const { text, html } = emailBody(
    [
      { kind: 'heading', text: '#lab > engines' },
      { kind: 'quotation', by: 'Bo', text: 'one\ntwo' },
      { kind: 'quotation', by: 'Cy', text: null },
      { kind: 'link', label: 'Open', url: 'https://chat.example.com/#narrow' },
    ],
    frame,
  );
  const closing = 'This e-mail is from Engines. You log in at https://chat.example.com with ada@example.com.';
  expect(text).toBe(
    `#lab > engines\n\nBo\n    one\n    two\n\nCy\n\nhttps://chat.example.com/#narrow\n\n--\n${closing}\n`,
  );
  expect(html).toContain('<a href="https://chat.example.com/#narrow">Open</a>');
  for (const words of ['#lab &#62; engines', 'one\ntwo</blockquote>', closing]) expect(html).toContain(words);
});

it('nothing that people wrote becomes markup', () => {
  const { html } = emailBody(
    [
      paragraph(hostile),
      { kind: 'heading', text: hostile },
      { kind: 'quotation', by: hostile, text: hostile },
      { kind: 'link', label: hostile, url: `https://chat.example.com/${hostile}` },
    ],
    { organization: hostile, site: hostile, email: hostile },
  );
  expect(html).not.toMatch(/<(?:img|script)/);
  expect(html.match(/<a [^>]*>/g)).toHaveLength(1);
  expect(html.match(/<\/a>/g)).toHaveLength(1);
});

it('whoever has no account yet is told what they will log in with', () => {
  const { text } = emailBody([paragraph('Hello,')], { ...frame, email: null });
  expect(text).toContain(
    'Once you have an account, you log in at https://chat.example.com with this address.',
  );
});

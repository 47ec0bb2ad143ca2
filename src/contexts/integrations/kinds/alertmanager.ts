import { z } from 'zod';
import { budgets } from '../../../kernel/budgets.js';
import { link, type Integration } from '../integration.js';

const texts = z.record(z.string(), z.string());
const alert = z.looseObject({
  status: z.string(),
  labels: texts.default({}),
  annotations: texts.default({}),
  generatorURL: z.string().optional(),
});
const payload = z.looseObject({ alerts: z.array(alert), commonLabels: texts.default({}) });

/** Alerts of Prometheus, as its Alertmanager sends them. */
export const alertmanager: Integration = {
  displayName: 'Alertmanager',
  eventHeader: null,
  events: [],
  read({ body }) {
    const { alerts, commonLabels } = payload.parse(body);
    if (alerts.length === 0) return null;
    const shown = alerts.slice(0, budgets.webhookItems.max).map(lineOf);
    if (shown.length < alerts.length) shown.push(`* and ${alerts.length - shown.length} more`);
    const topic = commonLabels['alertname'] ?? alerts[0]?.labels['alertname'] ?? 'alerts';
    return { event: null, topic, content: shown.join('\n') };
  },
};

function lineOf({ status, labels, annotations, generatorURL }: z.infer<typeof alert>): string {
  const mark = status === 'firing' ? ':alert: **Firing**' : ':squared_ok: **Resolved**';
  const name = labels['alertname'] ?? 'alert';
  const where = labels['instance'] === undefined ? '' : ` on ${link(labels['instance'], null)}`;
  const said = annotations['summary'] ?? annotations['description'] ?? '';
  const text = said === '' ? '' : `: ${link(said, null)}`;
  return `* ${mark} ${link(name, generatorURL)}${where}${text}`;
}

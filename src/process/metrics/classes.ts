import { Counter, Gauge, type Registry } from 'prom-client';
import { hashing } from '../../access/passwords.ts';
import { type Services } from '../../request/services.ts';

/** A limited class of work: how much of it waits, and how much was refused since the start. */
interface WorkClass {
  waiting: number;
  refused: number;
}

/** Adds metrics of waiting and refused work by class. */
export function observeClasses(
  registry: Registry,
  { exporting, pdf, readLane, standbys, turns }: Services,
): void {
  const classes: Readonly<Record<string, readonly WorkClass[]>> = {
    read: [readLane, ...standbys.all.map(({ connections }) => connections.lane)],
    write: [turns],
    login: [hashing],
    export: [exporting],
    document: [pdf],
  };
  const sum = (all: readonly WorkClass[], of: keyof WorkClass): number =>
    all.reduce((total, limited) => total + limited[of], 0);
  const waiting = new Gauge({
    name: 'sii_class_waiting',
    help: 'Work that waits until less of its class is done at the same time',
    labelNames: ['class'],
    registers: [],
    collect() {
      for (const [name, all] of Object.entries(classes)) this.set({ class: name }, sum(all, 'waiting'));
    },
  });
  const refused = new Counter({
    name: 'sii_class_refused_total',
    help: 'Work that was refused because too much of its class was there',
    labelNames: ['class'],
    registers: [],
    collect() {
      this.reset();
      for (const [name, all] of Object.entries(classes)) this.inc({ class: name }, sum(all, 'refused'));
    },
  });
  registry.registerMetric(waiting);
  registry.registerMetric(refused);
}

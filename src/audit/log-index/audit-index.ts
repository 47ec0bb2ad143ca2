import { Injectable } from '@nestjs/common';
import { auditIndexModel } from '../../contexts/audit-index/read-model.js';
import { ApplicationError } from '../../kernel/errors.js';
import type { ModelStore } from '../../stores/read-store/port.js';
import { ServingModels } from '../../stores/read-store/serving-models.js';

/** The index of the log, as far as it is there. */
@Injectable()
export class AuditIndex {
  constructor(private readonly models: ServingModels) {}

  /** Null: it was never built to its end, which happens in the background. */
  async open(): Promise<ModelStore | null> {
    try {
      return await this.models.get(auditIndexModel.name, auditIndexModel.collections);
    } catch (error) {
      if (error instanceof ApplicationError && error.row === 'unavailable') return null;
      throw error;
    }
  }
}

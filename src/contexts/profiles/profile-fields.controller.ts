import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import {
  ChangeProfileField,
  CreateProfileField,
  DeleteProfileField,
  ReorderProfileFields,
} from './commands/profile-fields.js';
import {
  ChangeProfileFieldParameters,
  CreateProfileFieldParameters,
  fieldChange,
  newField,
  ReorderProfileFieldsParameters,
} from './profiles.parameters.js';
import { GetProfileFields } from './queries/profile-fields.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { createdFieldReply, fieldsReply } from './profiles.replies.js';

/** The organization's profile fields. */
@ApiTags('custom profile fields')
@Controller('realm/profile_fields')
export class ProfileFieldsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Lists the custom profile fields, in their order. */
  @Reply(fieldsReply)
  @Get()
  async list(): Promise<SuccessFields> {
    return { custom_fields: await this.queries.execute(new GetProfileFields()) };
  }

  /** Creates a custom profile field. */
  @Reply(createdFieldReply)
  @Post()
  async create(
    @CurrentCaller() caller: Caller,
    @Parameters(CreateProfileFieldParameters) parameters: CreateProfileFieldParameters,
  ): Promise<SuccessFields> {
    return { id: await this.commands.execute(new CreateProfileField(caller, newField(parameters))) };
  }

  /** Reorders the custom profile fields. */
  @Reply()
  @Patch()
  async reorder(
    @CurrentCaller() caller: Caller,
    @Parameters(ReorderProfileFieldsParameters) { order }: ReorderProfileFieldsParameters,
  ): Promise<void> {
    await this.commands.execute(new ReorderProfileFields(caller, order));
  }

  /** Changes a custom profile field, except its type. */
  @Reply()
  @Patch(':field_id')
  async change(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('field_id') fieldId: number,
    @Parameters(ChangeProfileFieldParameters) parameters: ChangeProfileFieldParameters,
  ): Promise<void> {
    await this.commands.execute(new ChangeProfileField(caller, fieldId, fieldChange(parameters)));
  }

  /** Deletes a custom profile field with its values. */
  @Reply()
  @Delete(':field_id')
  async delete(@CurrentCaller() caller: Caller, @PathIdentifier('field_id') fieldId: number): Promise<void> {
    await this.commands.execute(new DeleteProfileField(caller, fieldId));
  }
}

// Schemas of PactoRevision: one content of a contract, kept for history.
import { Type } from 'typebox';
import { time } from './builders.ts';
import { ConditionsSchema } from './common.ts';

export const PactoRevisionSpecSchema = Type.Object({
  version: Type.String({ minLength: 1, description: 'Version the contract declares.' }),
  source: Type.Object({
    oci: Type.Optional(Type.String({ description: 'Resolved reference.' })),
    digest: Type.Optional(Type.String({ description: 'Manifest digest seen when it was loaded.' })),
    inline: Type.Optional(Type.Boolean()),
  }),
  pactoRef: Type.String({ minLength: 1, description: 'Pacto this revision belongs to.' }),
  serviceName: Type.Optional(Type.String()),
});

export const PactoRevisionStatusSchema = Type.Object({
  resolved: Type.Boolean(),
  contractHash: Type.Optional(Type.String({ description: 'SHA-256 of the contract bytes, lower-case hex.' })),
  createdAt: Type.Optional(time({ description: 'When it was first resolved.' })),
  conditions: Type.Optional(ConditionsSchema),
});

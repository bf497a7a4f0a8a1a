import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Slug } from '../tenants/tenants.schemas.ts'

/** The manifest's facts about an exported tenant, besides its files. */
export const About = Type.Object({
  tenant: Type.Object({
    id: Type.String({ pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
    slug: Slug,
    name: Type.String({ minLength: 1, maxLength: 128 }),
  }),
  /** The number of rows per part. */
  counts: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  migrations: Type.Array(Type.String()),
})
export type About = Static<typeof About>

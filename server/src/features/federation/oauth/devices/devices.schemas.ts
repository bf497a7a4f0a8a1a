import type { Static } from 'typebox'
import { Type } from '../../../../values/type.ts'
import { ClientCredentialFields, Parameter } from '../clients/client-credentials.schemas.ts'

export const DeviceRequest = Type.Object(
  {
    ...ClientCredentialFields,
    scope: Parameter('As at the authorization.', 'openid invoice:read', 8192),
    resource: Parameter('RFC 8707: one.', 'https://mcp.example.com/mcp'),
    tenant: Parameter('Id or slug of the tenant to sign in to.', 'acme', 64),
  },
  { title: 'DeviceRequest' },
)
export type DeviceRequest = Static<typeof DeviceRequest>

export const DeviceAnswer = Type.Object(
  {
    device_code: Type.String({ examples: ['GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS4w'] }),
    user_code: Type.String({ description: 'The person types or compares it.', examples: ['WDJB-MJHT'] }),
    verification_uri: Type.String({ examples: ['https://admin.example.com/sign-in/device'] }),
    verification_uri_complete: Type.String({
      description:
        'With the code, for a QR code or a link: the page shows the code, and the person confirms it.',
      examples: ['https://admin.example.com/sign-in/device#code=WDJB-MJHT'],
    }),
    expires_in: Type.Integer({ description: 'Seconds.', examples: [600] }),
    interval: Type.Integer({ description: 'Seconds between two questions.', examples: [5] }),
  },
  { title: 'DeviceAnswer' },
)
export type DeviceAnswer = Static<typeof DeviceAnswer>

export const TypeUserCode = Type.Object(
  { user_code: Type.String({ minLength: 1, maxLength: 32, examples: ['WDJB-MJHT'] }) },
  { title: 'TypeUserCode' },
)

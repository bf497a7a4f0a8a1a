import type { App } from '../../../http/app-type.ts'
import { List } from '../../../http/schemas.ts'
import { ReadSecrets, SecretValue } from './secrets.schemas.ts'
import { readSecrets } from './secrets.service.ts'

export const secretSettingRoutes = (app: App): void => {
  app.post(
    '/settings/secrets/read',
    {
      config: { allow: 'setting:secret', fails: ['secretsOff'] },
      schema: {
        operationId: 'readSecretSettings',
        tags: ['settings'],
        summary: 'Read the values of secrets',
        description:
          'For the key of a service account; a person gets 403. Secrets that are not set are left out.',
        body: ReadSecrets,
        response: { 200: List(SecretValue) },
      },
    },
    ({ ctx, body }) => readSecrets(ctx, body.keys),
  )
}

import type { BuiltInSetting } from '../../../context.ts'
import { applyRobots } from './robots.service.ts'
import { robotsSetting } from './robots.store.ts'

export const robotsSettings: BuiltInSetting[] = [
  {
    key: robotsSetting,
    scopes: ['global'],
    schema: { type: 'string', enum: ['off', 'proof_of_work'] },
    default: 'off',
    label: 'Robots',
    description:
      'With `proof_of_work`, a browser works for about a second before it registers, signs up, or asks for an e-mail.',
    group: 'Sign-in',
    apply: applyRobots,
  },
]

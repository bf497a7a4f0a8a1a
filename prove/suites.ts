import type { Suite } from './suite.ts'
import { archive } from './suites/archive/suite.ts'
import { assistants } from './suites/assistants/suite.ts'
import { audit } from './suites/audit/suite.ts'
import { authority } from './suites/authority/suite.ts'
import { crash } from './suites/crash/suite.ts'
import { decisions } from './suites/decisions/suite.ts'
import { escalation } from './suites/escalation/suite.ts'
import { flags } from './suites/flags/suite.ts'
import { input } from './suites/input/suite.ts'
import { isolation } from './suites/isolation/suite.ts'
import { organizations } from './suites/organizations/suite.ts'
import { overload } from './suites/overload/suite.ts'
import { people } from './suites/people/suite.ts'
import { patroni } from './suites/patroni/suite.ts'
import { pooler } from './suites/pooler/suite.ts'
import { races } from './suites/races/suite.ts'
import { replicas } from './suites/replicas/suite.ts'
import { scim } from './suites/scim/suite.ts'
import { settings } from './suites/settings/suite.ts'
import { signIn } from './suites/sign-in/suite.ts'
import { sso } from './suites/sso/suite.ts'
import { stores } from './suites/stores/suite.ts'
import { ways } from './suites/ways/suite.ts'
import { webhooks } from './suites/webhooks/suite.ts'
import { tokens } from './suites/tokens/suite.ts'

/** The suites run in this order: those that break nothing come first. */
export const suites: Suite[] = [
  isolation,
  tokens,
  escalation,
  people,
  signIn,
  ways,
  organizations,
  authority,
  assistants,
  scim,
  sso,
  decisions,
  settings,
  flags,
  input,
  races,
  audit,
  archive,
  crash,
  replicas,
  webhooks,
  overload,
  stores,
  pooler,
  patroni,
]

import type { Interaction } from '@tenantry/client'
import type { Act } from './use-interaction.ts'

export interface StepProps {
  interaction: Interaction
  act: Act
}

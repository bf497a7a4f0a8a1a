import type { UseFormReturnType } from '@mantine/form'
import type { ProviderFields } from './presets.ts'

/** Named as in the API, so that its refusals appear beside the fields. */
export interface ProviderValues extends ProviderFields, Record<string, unknown> {
  issuer: string
  client_id: string
  client_secret: string
  metadata: string
  metadata_url: string
}

export type ProviderForm = Pick<UseFormReturnType<ProviderValues>, 'getInputProps'>

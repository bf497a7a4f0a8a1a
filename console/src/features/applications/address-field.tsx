import { Textarea } from '@mantine/core'
import type { GetInputPropsReturnType } from '@mantine/form'
import type { Application } from '@tenantry/client'
import type { ReactNode } from 'react'
import { useTranslation } from '../../translation.ts'
import { addressesMax, faultOfAddress, linesOf } from './addresses.ts'

/** The message about the first invalid address. */
export const useAddressCheck = (kind: Application['kind'], isRequired = false) => {
  const { t } = useTranslation()
  return (text: string): string | null => {
    const lines = linesOf(text)
    if (isRequired && lines.length === 0) return t('fieldFaults.missing')
    if (lines.length > addressesMax) return t('applications.addressesMany', { count: addressesMax })
    for (const address of lines) {
      const fault = faultOfAddress(kind, address)
      if (fault !== undefined) return `${address}: ${t(`addressFaults.${fault}`)}`
    }
    return null
  }
}

interface AddressFieldProps {
  label: string
  description: string
  placeholder: string
  kind: Application['kind']
  input: GetInputPropsReturnType
  required?: boolean
}

/** One address per line. A finished line is checked while the user types the next one. */
export const AddressField = ({ kind, input, ...props }: AddressFieldProps) => {
  const check = useAddressCheck(kind)
  const text = String(input.value)
  // The unfinished line is checked as soon as it looks like an address.
  const isUnderWay = linesOf(text).some((line) => line.includes('//') && line.length > 10)
  const fault = isUnderWay ? check(text) : null
  return (
    <Textarea
      autosize
      minRows={2}
      maxRows={8}
      spellCheck={false}
      {...props}
      {...input}
      error={(input.error as ReactNode) ?? fault}
    />
  )
}

import {
  Button,
  FileButton,
  Stack,
  Textarea,
  type TextareaProps,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from '../../translation.ts'
import type { Provider, ProviderValues } from './presets.ts'

export type ProviderForm = Pick<UseFormReturnType<ProviderValues>, 'getInputProps'>

interface MetadataFieldProps {
  form: ProviderForm
  provider: Provider
  isThere?: boolean
}

/** The provider's metadata: an address, a pasted text or a file. */
export const MetadataField = ({ form, provider, isThere = false }: MetadataFieldProps) => {
  const { t } = useTranslation()
  const address = form.getInputProps('metadata_url') as TextInputProps & { value: string }
  const input = form.getInputProps('metadata') as TextareaProps & { onChange: (text: string) => void }
  const take = async (file: File | null): Promise<void> => {
    if (file) input.onChange(await file.text())
  }
  const hasAddress = address.value.trim() !== ''
  return (
    <Stack gap="xs" align="flex-start">
      <TextInput
        label={t('connections.metadataUrl')}
        description={t(isThere ? 'connections.metadataUrlKept' : 'connections.metadataUrlHint')}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        w="100%"
        {...address}
        error={address.error ?? (hasAddress && input.error)}
      />
      {!hasAddress && (
        <>
          <Textarea
            label={t('connections.metadata')}
            description={t(isThere ? 'connections.metadataKept' : `ssoProviders.${provider}Metadata`)}
            placeholder="<EntityDescriptor …"
            required
            minRows={4}
            maxRows={10}
            autosize
            spellCheck={false}
            w="100%"
            {...input}
          />
          <FileButton onChange={(file) => void take(file)} accept=".xml,text/xml,application/xml">
            {(props) => (
              <Button size="compact-sm" variant="default" {...props}>
                {t('connections.metadataFile')}
              </Button>
            )}
          </FileButton>
        </>
      )}
    </Stack>
  )
}

import { DataList } from '@mantine/core'
import { useTranslation } from '../translation.ts'
import { CopyText } from './copy-text.tsx'

interface CredentialsProps {
  email: string
  password: string
}

export const Credentials = ({ email, password }: CredentialsProps) => {
  const { t } = useTranslation()
  const items = [
    { label: t('fields.email'), text: email, copy: t('fields.copyEmail') },
    { label: t('fields.password'), text: password, copy: t('fields.copyPassword') },
  ]
  return (
    <DataList>
      {items.map(({ label, text, copy }) => (
        <DataList.Item key={label}>
          <DataList.ItemLabel>{label}</DataList.ItemLabel>
          <DataList.ItemValue>
            <CopyText text={text} label={copy} />
          </DataList.ItemValue>
        </DataList.Item>
      ))}
    </DataList>
  )
}

import { Text, type TextProps } from '@mantine/core'
import { useFormat } from '../format.ts'

/** How long ago a timestamp of the API is; pointing at it tells when that was. */
export const Ago = ({ at, ...props }: TextProps & { at: string }) => {
  const format = useFormat()
  return (
    <Text size="sm" title={format.moment(at)} className="unbroken" {...props}>
      {format.ago(at)}
    </Text>
  )
}

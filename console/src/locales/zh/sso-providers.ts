import type { en } from '../en.ts'

export const ssoProviders: (typeof en)['ssoProviders'] = {
  entra: 'Entra ID',
  entraClient: '应用注册概述页中的“应用程序（客户端）ID”。',
  entraIssuer: '将 DIRECTORY 替换为应用注册概述页中的“目录（租户）ID”。',
  entraMetadata: '“单一登录”、“SAML 证书”下的“联合元数据 XML”。',
  google: 'Google Workspace',
  googleClient: '在 Google Cloud 控制台的“Google Auth Platform”、“客户端”中。',
  googleIssuer: '所有组织都是 https://accounts.google.com。',
  googleMetadata: '管理控制台自定义 SAML 应用中的“下载元数据”。',
  keycloak: 'Keycloak',
  keycloakClient: '“Clients”、“Settings”下的“Client ID”。',
  keycloakIssuer: '您的 realm 的地址，见“Realm settings”中的“OpenID Endpoint Configuration”。',
  keycloakMetadata: '“Realm settings”中的“SAML 2.0 Identity Provider Metadata”。',
  okta: 'Okta',
  oktaClient: '应用集成“General”下的“Client ID”。',
  oktaIssuer: 'https:// 加上您组织的主机名，不含 -admin。',
  oktaMetadata: '“Sign On”下的“View SAML setup instructions”：页面末尾的文本。',
  other: '其他',
  otherClient: '提供方为该应用显示的 ID。',
  otherIssuer: '与提供方 /.well-known/openid-configuration 中的名称一致。',
  otherMetadata: '描述身份提供方的文档，含一个 EntityDescriptor。',
}

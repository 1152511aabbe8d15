import { STORED_FORMAT } from "@intents/deployment/stored-format.ts";
import { mainTableSchema } from "@intents/deployment/table-schema.ts";
import { describe, expect, test } from "vitest";
import { resourcesOf, synthesize } from "./synth-fixture.ts";

describe.each(["sandbox", "production"] as const)("what %s keeps", (stage) => {
  const { data } = synthesize(stage);
  const [, bucket] = Object.entries(data.findResources("AWS::S3::Bucket")).find(([id]) => /^Documents/.test(id)) ?? [];

  test("is the main table, whatever happens", () => {
    const [main] = Object.values(
      data.findResources("AWS::DynamoDB::Table", { Properties: { TableName: `payment-intents-${stage}` } }),
    );
    expect(main).toMatchObject({
      DeletionPolicy: "RetainExceptOnCreate",
      UpdateReplacePolicy: "Retain",
      Properties: {
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        SSESpecification: { SSEEnabled: true },
        TimeToLiveSpecification: { AttributeName: "ttl", Enabled: true },
        BillingMode: "PAY_PER_REQUEST",
      },
    });
    const indexes = main?.["Properties"].GlobalSecondaryIndexes as { IndexName: string }[];
    expect(indexes.map(({ IndexName }) => IndexName)).toEqual(mainTableSchema.indexes.map(({ name }) => name));
  });

  test("is the bucket, which nobody but the service reaches", () => {
    expect(bucket).toMatchObject({
      DeletionPolicy: "RetainExceptOnCreate",
      Properties: {
        VersioningConfiguration: { Status: "Enabled" },
        PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: true },
      },
    });
    expect(bucket?.["Properties"].BucketEncryption).toBeDefined();
    const policies = ["AWS::S3::BucketPolicy", "AWS::SQS::QueuePolicy"].flatMap((type) => resourcesOf(data, type));
    // Each bucket has one, and so have the dead letters and the queues of work.
    expect(policies).toHaveLength(stage === "production" ? 9 : 7);
    for (const [id, policy] of policies) expect(JSON.stringify(policy), id).toContain(`"aws:SecureTransport":"false"`);
  });

  test("is in production, for a year, the log of who has read a file past the service", () => {
    const logs = resourcesOf(data, "AWS::S3::Bucket").filter(([id]) => id.startsWith("DocumentReads"));
    expect(logs.map(([, { LifecycleConfiguration }]) => LifecycleConfiguration)).toEqual(
      stage === "production" ? [{ Rules: [{ ExpirationInDays: 365, Status: "Enabled" }] }] : [],
    );
    const to = logs.map(([id]) => ({ DestinationBucketName: { Ref: id } }))[0];
    expect(bucket?.["Properties"].LoggingConfiguration).toEqual(to);
  });

  test("is the history of production, twice: nobody can change, delete or hide a copy for ten years", () => {
    const histories = Object.values(data.findResources("AWS::S3::Bucket", { Properties: { ObjectLockEnabled: true } }));
    expect(histories).toHaveLength(stage === "production" ? 1 : 0);
    for (const history of histories)
      expect(history).toMatchObject({
        DeletionPolicy: "RetainExceptOnCreate",
        Properties: {
          VersioningConfiguration: { Status: "Enabled" },
          ObjectLockConfiguration: { Rule: { DefaultRetention: { Mode: "COMPLIANCE", Days: 3660 } } },
        },
      });
    const denials = resourcesOf(data, "AWS::S3::BucketPolicy").filter(([, policy]) =>
      JSON.stringify(policy).includes('"s3:DeleteObject"'),
    );
    expect(denials).toHaveLength(histories.length);
    const [, main] = resourcesOf(data, "AWS::DynamoDB::Table").find(([id]) => id.startsWith("Main")) ?? [];
    expect(main?.["StreamSpecification"]).toEqual(stage === "production" ? { StreamViewType: "NEW_IMAGE" } : undefined);
  });

  test("are uploads for two days at most, older versions of payers' for two more, and what was kept for good", () => {
    expect(bucket?.["Properties"].LifecycleConfiguration.Rules).toMatchObject([
      // S3 counts whole days and waits for midnight: an object of one day goes before it is two days old.
      { Prefix: "tmp/", ExpirationInDays: 1, NoncurrentVersionExpiration: { NoncurrentDays: 1 } },
      ...["payers/tmp/", "exporting/"].map((prefix) => ({ Prefix: prefix, ExpirationInDays: 1 })),
      { Prefix: "payers/kept/", NoncurrentVersionExpiration: { NoncurrentDays: 1 }, ExpiredObjectDeleteMarker: true },
      { Prefix: "exports/", ExpirationInDays: 90 },
      { NoncurrentVersionExpiration: { NoncurrentDays: 30 } },
    ]);
  });
});

test("the API's stack holds on to the stored format's number, without which no other version is deployed", () => {
  const { api, data } = synthesize("production");
  const name = `payment-intents-production-data-format-${STORED_FORMAT}`;
  expect(Object.values(data.findOutputs("*", { Export: { Name: name } }))).toHaveLength(1);
  expect(Object.values(api.findOutputs("StoredFormat"))).toEqual([{ Value: { "Fn::ImportValue": name } }]);
});

describe("a restored table", () => {
  const STREAM = "arn:aws:dynamodb:eu-west-1:123456789012:table/restored-1/stream/2026-11-23T00:00:00.000";
  const production = synthesize("production");
  const restored = synthesize("production", { mainTable: STREAM });
  const sandbox = synthesize("sandbox", { mainTable: "restored-1" });

  test("is that of all functions, grants, alarms and copies, and the one that was made is that of none", () => {
    for (const { api, findings } of [restored, sandbox]) {
      expect(findings).toEqual([]);
      const tables = resourcesOf(api, "AWS::Lambda::Function").flatMap(([, { Environment }]) => {
        const { Variables } = Environment as { Variables: Record<string, unknown> };
        return Variables["TABLE_NAME"] ?? [];
      });
      expect(new Set(tables)).toEqual(new Set(["restored-1"]));
      expect(JSON.stringify(api.toJSON())).toContain(":table/restored-1");
      expect(JSON.stringify(api.toJSON())).not.toMatch(/ExportsOutput\w*Main/);
    }
    const throttled = resourcesOf(restored.monitoring, "AWS::CloudWatch::Alarm").filter(([id]) =>
      id.includes("Throttle"),
    );
    expect(JSON.stringify(throttled)).toContain("restored-1");
    restored.api.hasResourceProperties("AWS::Lambda::EventSourceMapping", { EventSourceArn: STREAM });
  });

  test("leaves the one that was made as it is, with its exports, so that there is a way back", () => {
    expect(resourcesOf(restored.data, "AWS::DynamoDB::Table")).toEqual(
      resourcesOf(production.data, "AWS::DynamoDB::Table"),
    );
    const exportsOf = ({ data }: typeof restored) => Object.keys(data.findOutputs("*")).toSorted();
    expect(exportsOf(restored)).toEqual(exportsOf(production));
  });
});

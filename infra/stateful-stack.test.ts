import { mainTableSchema } from "@intents/deployment/table-schema.ts";
import { describe, expect, test } from "vitest";
import { resourcesOf, synthesize } from "./synth-fixture.ts";

describe.each(["sandbox", "production"] as const)("what %s keeps", (stage) => {
  const { data } = synthesize(stage);
  const [bucket] = Object.values(data.findResources("AWS::S3::Bucket"));

  test("is the main table, whatever happens", () => {
    const [main] = Object.values(
      data.findResources("AWS::DynamoDB::Table", { Properties: { TableName: `payment-intents-${stage}` } }),
    );
    expect(main).toMatchObject({
      DeletionPolicy: "Retain",
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
      DeletionPolicy: "Retain",
      Properties: {
        VersioningConfiguration: { Status: "Enabled" },
        PublicAccessBlockConfiguration: { BlockPublicAcls: true, RestrictPublicBuckets: true },
      },
    });
    expect(bucket?.["Properties"].BucketEncryption).toBeDefined();
    const policies = ["AWS::S3::BucketPolicy", "AWS::SQS::QueuePolicy"].flatMap((type) => resourcesOf(data, type));
    expect(policies).toHaveLength(3);
    for (const [id, policy] of policies) expect(JSON.stringify(policy), id).toContain(`"aws:SecureTransport":"false"`);
  });

  test("are uploads for two days at most, older versions of payers' for two more, and what was kept for good", () => {
    expect(bucket?.["Properties"].LifecycleConfiguration.Rules).toMatchObject([
      // S3 counts whole days and waits for midnight: an object of one day goes before it is two days old.
      { Prefix: "tmp/", ExpirationInDays: 1, NoncurrentVersionExpiration: { NoncurrentDays: 1 } },
      {
        Prefix: "kept/payers/",
        NoncurrentVersionExpiration: { NoncurrentDays: 1 },
        ExpiredObjectDeleteMarker: true,
      },
      { Prefix: "exports/", ExpirationInDays: 90 },
      { NoncurrentVersionExpiration: { NoncurrentDays: 30 } },
    ]);
  });
});
